// What every page has.

import "./menus.js";
import "./offline.js";
import "./player-card.js";
import "./time-zone.js";
