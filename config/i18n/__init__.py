"""The languages of the site, their catalogs and what is new in each."""
