"""What happens to announced games; everything that writes."""
