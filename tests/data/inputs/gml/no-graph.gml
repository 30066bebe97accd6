Creator "a test"
Version 1
