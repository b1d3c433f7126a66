/** What the page of a table loads when it needs it first: nobody needs it for a move. */

import { WaitingRoom } from "../lobby/waiting.js";
import { Luck } from "./luck.js";
import { Menu } from "./menu.js";
import { GameOver } from "./over.js";

export { GameOver, Luck, Menu, WaitingRoom };
