// The modules of every page of a member.

import "./alerts.js";
import "./main.js";
import "./timers.js";
