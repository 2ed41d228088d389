/** Where the squares of the ground are; the build writes their hash into it (`tools/baseMap/baseMapPlugin.ts`). */
export const GROUND_FOLDER = '/assets/ground/'
