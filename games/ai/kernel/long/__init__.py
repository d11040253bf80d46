"""Long nardy: turns, single moves, blocks, inputs of the nets."""
