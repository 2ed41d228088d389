/** The layer of streets is loaded late; its pane is made with the others. */
export const STREETS_PANE = 'streets'
