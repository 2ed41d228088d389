let guards = 0

/** Somebody has changes that are not saved. @returns they are saved, or left behind */
export function addLeaveGuard(): () => void {
  guards++
  return () => {
    guards--
  }
}

export const hasUnsavedChanges = () => guards > 0
