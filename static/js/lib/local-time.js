// Moments in the reader's time zone. The server writes most of them (accounts/times/); scripts write
// those that arrive in frames, and correct a page that was rendered before the zone was known.

const FORMS = {
  day: { day: "numeric", month: "short", year: "numeric" },
  time: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  month: { day: "numeric", month: "long", year: "numeric" }, // momentText removes the day
};
FORMS.moment = { ...FORMS.day, ...FORMS.time };

/** Return the device's IANA zone, or "" if the browser does not reveal it. */
export function deviceZone() {
  try {
    // Where it exists, Temporal answers at once; a browser's first formatter takes tens of ms.
    return globalThis.Temporal?.Now?.timeZoneId?.() ?? new Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
  } catch {
    return "";
  }
}

/** Return the zone of a page's times: the member's own choice, else the device's. */
export function readersZone(root) {
  return "keepsZone" in root.dataset ? root.dataset.zone : deviceZone();
}

/**
 * Write a moment. A month is formatted with a day, which is then removed, so that the Russian name
 * of the month is in the genitive. The Russian “г.” after a year is removed.
 * @param {string} iso
 * @param {string} form day, time, month or moment
 * @param {string} lang
 * @param {string} zone IANA name; "" for the device's
 */
export function momentText(iso, form, lang, zone) {
  const language = lang === "en" ? "en-GB" : lang; // the day before the month, as on the pages
  const options = zone ? { ...FORMS[form], timeZone: zone } : FORMS[form];
  const text = new Intl.DateTimeFormat(language, options).format(new Date(iso)).replace(/\s?г\.(?=$|,)/, "");
  return form === "month" ? text.replace(/^\d+ /, "") : text;
}
