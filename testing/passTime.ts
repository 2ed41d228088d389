/** Lets time pass where no event can be awaited: something must not happen, or happens later than now. */
export const passTime = (ms: number, _why: string): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
