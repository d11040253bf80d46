{# Rendered by config/i18n/script_texts.py: first with the functions that translate, later only with further texts. #}{% if is_first %}"use strict";
{
  const texts = {{ texts }};
  const one = (text) => (Array.isArray(text) ? text[0] : text);
  const many = (text, n) => (Array.isArray(text) ? text[globalThis.pluralidx(n)] : text);
  const keyOf = (context, text) => `${context}\x04${text}`;
  Object.assign(globalThis, {
    addTexts: (more) => Object.assign(texts, more),
    pluralidx: (n) => Number({{ plural }}),
    gettext: (text) => one(texts[text]) ?? text,
    pgettext: (context, text) => one(texts[keyOf(context, text)]) ?? text,
    ngettext: (single, plural, n) => many(texts[single], n) ?? (Number(n) === 1 ? single : plural),
    npgettext: (context, single, plural, n) => many(texts[keyOf(context, single)], n) ?? globalThis.ngettext(single, plural, n),
    interpolate: (text, values, isNamed) => (isNamed
      ? text.replace(/%\(\w+\)s/g, (name) => String(values[name.slice(2, -2)]))
      : text.replace(/%s/g, () => String(values.shift()))),
  });
}
{% else %}addTexts({{ texts }});
{% endif %}
