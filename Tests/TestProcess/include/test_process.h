// Nothing to call: being linked is enough. See start.c.
