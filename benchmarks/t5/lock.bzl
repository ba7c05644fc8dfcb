LOCK = {}
