let guards = 0

/**
 * It registers unsaved changes.
 *
 * @returns a function to call once they are saved or discarded
 */
export function addLeaveGuard(): () => void {
  guards++
  return () => {
    guards--
  }
}

export const hasUnsavedChanges = () => guards > 0
