"""`python -m sdm`."""

from sdm.cli import main

if __name__ == "__main__":
    main(prog_name="python -m sdm")
