/** Set on the answer to an apply for a device that is not connected: it will be applied when the device reconnects. */
export const QUEUED_HEADER = 'x-wayside-queued'

/** Set beside the sentence that a device has not answered yet: the change is kept, and the device may still take it. */
export const UNANSWERED_HEADER = 'x-wayside-unanswered'

/** A UUID for what is to be created once, however often it is asked for (`takesIdempotencyKey`): an answer may be lost. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key'

/**
 * A browser that signs in asks with it, by the value `cookie`, for a session that is bound to a cookie of its own. Without
 * it the token of the answer is the whole session (rules/calls 4).
 */
export const BIND_HEADER = 'X-Wayside-Bind'
