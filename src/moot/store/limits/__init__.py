"""Limits that hold for all servers of one database: what keys may spend and hold, and when providers may be asked."""
