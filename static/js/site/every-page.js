// The modules of every page.

import "./menus.js";
import "./offline.js";
import "./player-card.js";
import "./time-zone.js";
