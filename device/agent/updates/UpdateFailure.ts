/** Ends an update; the sentence is for operators. */
export class UpdateFailure extends Error {}
