/** The build writes the hash of the base map's squares into this address (`tools/baseMap/baseMapPlugin.ts`). */
export const GROUND_FOLDER = '/assets/ground/'
