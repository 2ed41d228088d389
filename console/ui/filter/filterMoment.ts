import { formatMinute } from '#console/lib/time/time.ts'
import { laterField } from '#console/ui/kit/laterField.tsx'

/** A filter's field for a moment: its calendar is larger than the list that it filters. */
export const FilterMoment = laterField(
  () => import('#console/ui/form/MomentField.tsx').then((part) => part.MomentField),
  {
    nameOf: ({ name, value }) => (value ? `${name} ${formatMinute(value)}` : name),
    textOf: ({ value }) => (value ? formatMinute(value) : ''),
    hasList: false,
  },
)
