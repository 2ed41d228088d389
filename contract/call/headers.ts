/** Set on the answer to an apply for a device that is not connected: it will be applied when the device reconnects. */
export const QUEUED_HEADER = 'x-wayside-queued'
