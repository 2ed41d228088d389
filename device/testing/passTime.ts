/** Lets time pass where no event tells what is waited for: that something does not happen, or happens later than now. */
export const passTime = (ms: number, _why: string): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
