// The modules of every page.

import "./keep-offline.js";
import "./menus.js";
import "./popovers.js";
import "./time-zone.js";
