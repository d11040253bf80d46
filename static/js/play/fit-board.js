// Choose the board's layout for the space on the page: 14 columns with trays at the side, or 13
// with trays above and below, as on a phone held upright.

import { makeLayout } from "../board/geometry.js";

// The layout with trays at the side is chosen even if its points are up to 2 % narrower.
const PREFER_WIDE = 1.02;

/**
 * Fit the board into an area of fixed width and height: take the layout with wider points.
 * @param {{variant:string,settings:Settings}} options
 * @returns {boolean} false when there is no space to draw in
 */
export function fitBoardToArea(board, host, { variant, settings }) {
  const { width, height } = host.getBoundingClientRect();
  if (!width || !height) return false;
  const options = { variant, isMirrored: settings.isMirrored(variant), aspect: height / width };
  const [wide, narrow] = [true, false].map((isWide) => makeLayout({ ...options, isWide }));
  const scale = (layout) => Math.min(width / layout.width, height / layout.height);
  const layout = scale(wide) * PREFER_WIDE >= scale(narrow) ? wide : narrow;
  board.setLayout(layout, { hasNumbers: settings.get("numbers") });
  return true;
}

/**
 * Fit the board to the width of its host, whose height follows.
 * @param {{variant:string,settings:Settings,wideFrom:number}} options wideFrom = least width in px
 *   of the layout with 14 columns
 * @returns {boolean} false when there is no space to draw in
 */
export function fitBoardToWidth(board, host, { variant, settings, wideFrom }) {
  const { width } = host.getBoundingClientRect();
  if (!width) return false;
  const layout = makeLayout({ variant, isWide: width >= wideFrom, isMirrored: settings.isMirrored(variant) });
  host.style.aspectRatio = `${layout.width} / ${layout.height}`;
  board.setLayout(layout, { hasNumbers: settings.get("numbers") });
  return true;
}
