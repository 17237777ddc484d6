-- Version 16 changes nothing: its number was taken for a step that became another one.

PRAGMA user_version = 16;
