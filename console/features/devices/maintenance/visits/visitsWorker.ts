/** The script that answers pages of visits without network (console/public/visitsWorker.js). */
export const VISITS_WORKER = '/visitsWorker.js'
