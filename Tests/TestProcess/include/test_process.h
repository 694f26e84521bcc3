// There is nothing to call: linking this is enough. See start.c.
