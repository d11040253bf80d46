"""Code that every app may import: nothing here is about one part of the site."""
