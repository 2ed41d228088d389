/** Lets time pass where no event exists to wait for: something must not happen, or must happen later. */
export const passTime = (ms: number, _why: string): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
