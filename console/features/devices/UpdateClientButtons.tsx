import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { messages } from '#console/lib/call/messages.ts'
import { useMay } from '#console/lib/call/session.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { useOffers } from '#console/lib/offers/offers.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import type { BulkSelection } from './useBulkSelection.ts'
import { useClientUpdate } from './useClientUpdate.ts'

/** What the update mode does with the chosen devices (P1 §5, §8): all at once, or for the staff in waves. */
export function UpdateClientButtons({ selection }: { readonly selection: BulkSelection }) {
  const mayPlan = useMay('staffAdmin')
  const { update, isBusy } = useClientUpdate(selection.cancel)
  const count = selection.ids.size
  const start = () => (count === 0 ? toasts.warning(messages.noDevicesSelected) : void update([...selection.ids]))
  useOffers([
    {
      deed: 'devices.updateClient',
      label: `Update the client of ${count} selected`,
      icon: IconDownload,
      refused: count === 0 ? messages.noDevicesSelected : undefined,
      run: start,
    },
  ])
  return (
    <>
      {mayPlan && count > 0 && (
        <Button
          variant="default"
          component={Link}
          to={address('/client-updates/new', { devices: [...selection.ids].join(',') })}
        >
          In waves…
        </Button>
      )}
      <Button leftSection={<IconDownload size={14} aria-hidden />} loading={isBusy} onClick={start}>
        Update client
      </Button>
    </>
  )
}
