"""From a Python function to the sdm dialect; knows nothing of arrays, launching or caches."""
