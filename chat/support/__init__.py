"""Support: answers to usual questions, requests, and a queue of requests for staff."""
