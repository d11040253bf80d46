// Fill the named placeholders of a translated sentence.

/** @param {string} text with %(name)s @param {Record<string,any>} values */
export const fill = (text, values) => interpolate(text, values, true);
