// Importing this module links the function of threading.c. There is nothing to call.
