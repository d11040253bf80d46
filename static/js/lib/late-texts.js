// Texts of the modules that a page imports on demand (config/i18n/script_texts.py).

let texts = null;

/**
 * @param {HTMLScriptElement} first the page's script of texts; its URL with "&rest" leads to the
 *   others
 */
function load(first) {
  return new Promise((done) => {
    const script = document.createElement("script");
    script.src = `${first.src}&rest`;
    script.onload = done;
    script.onerror = () => { // the texts stay English until another try
      texts = null;
      done();
    };
    document.head.append(script);
  });
}

/**
 * Wait for a module, and for the texts of all modules that are imported on demand.
 * @template T @param {Promise<T>} module @returns {Promise<T>}
 */
export async function withTexts(module) {
  const first = document.querySelector("script[data-texts]");
  if (first) texts ??= load(first);
  // Awaited together, since a module that fails while the texts load must be handled at once.
  const [loaded] = await Promise.all([module, texts]);
  return loaded;
}
