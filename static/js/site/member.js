// What every page of a member has.

import "./alerts.js";
import "./main.js";
import "./timers.js";
