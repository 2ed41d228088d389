/** Their ids are stored with the entries, so they never change (rules/maintenance 2). */
export const MAINTENANCE_REASONS = [
  { id: 1, name: 'Alert' },
  { id: 2, name: 'Customer report' },
  { id: 3, name: 'Planned inspection' },
  { id: 4, name: 'Installation' },
  { id: 5, name: 'Relocation' },
  { id: 6, name: 'Upgrade' },
  { id: 7, name: 'Vandalism' },
  { id: 8, name: 'Weather damage' },
  { id: 9, name: 'Power failure' },
  { id: 10, name: 'Network failure' },
  { id: 11, name: 'Other' },
] as const

export const MAINTENANCE_ACTIONS = [
  { id: 1, name: 'Inspected' },
  { id: 2, name: 'Cleaned' },
  { id: 3, name: 'Restarted' },
  { id: 4, name: 'Adjusted' },
  { id: 5, name: 'Repaired' },
  { id: 6, name: 'Component replaced' },
  { id: 7, name: 'Component added' },
  { id: 8, name: 'Component removed' },
  { id: 9, name: 'Cabling repaired' },
  { id: 10, name: 'Filter replaced' },
  { id: 11, name: 'Software updated' },
  { id: 12, name: 'Other' },
] as const

export const MAINTENANCE_RESOLUTIONS = [
  { id: 1, name: 'Solved' },
  { id: 2, name: 'Solved for now' },
  { id: 3, name: 'Not solved' },
  { id: 4, name: 'No fault found' },
  { id: 5, name: 'Another visit needed' },
  { id: 6, name: 'Waiting for parts' },
] as const

export const isKnownId = (names: readonly { readonly id: number }[], id: number): boolean =>
  names.some((known) => known.id === id)
