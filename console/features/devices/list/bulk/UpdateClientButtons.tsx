import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { send } from '#console/lib/call/api.ts'
import { messages } from '#console/lib/call/messages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { useMay } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import type { AnswerOf } from '#contract/call/call.ts'
import { checkClientUpdate } from '#contract/http/software/rollouts.ts'
import type { BulkSelection } from './useBulkSelection.ts'
import { useClientUpdate } from './useClientUpdate.ts'

/** The update mode updates the selected devices (rules/devices 11), all at once, or for staff in waves. */
export function UpdateClientButtons({ selection }: { readonly selection: BulkSelection }) {
  const mayPlan = useMay('staffAdmin')
  const { update, isBusy } = useClientUpdate(selection.cancel)
  const ids = [...selection.ids]
  const count = ids.length
  const { data: known } = useQuery({
    queryKey: [checkClientUpdate.path, ids],
    queryFn: ({ signal }) => send(checkClientUpdate, { body: { deviceIds: ids }, signal }),
    enabled: count > 0,
    placeholderData: keepPreviousData,
  })
  const start = () => (count === 0 ? toasts.warning(messages.noDevicesSelected) : void update(ids))
  usePaletteCommands([
    {
      actionId: 'devices.updateClient',
      label: `Update the client of ${count} selected`,
      icon: IconDownload,
      refused: count === 0 ? messages.noDevicesSelected : undefined,
      run: start,
    },
  ])
  return (
    <>
      {count > 0 && known && (
        <span className="bulk-target">
          {targetText(known, count)}
          {mayPlan && <WaitingLinks known={known} />}
        </span>
      )}
      {mayPlan && count > 0 && (
        <Button
          variant="default"
          component={Link}
          to={address('/device-software/rollouts/new', { devices: ids.join(',') })}
        >
          In waves…
        </Button>
      )}
      <ActionButton icon={IconDownload} iconSize={14} isMain loading={isBusy} onClick={start}>
        Update client
      </ActionButton>
    </>
  )
}

function WaitingLinks({ known: { waiting } }: { readonly known: AnswerOf<typeof checkClientUpdate> }) {
  return [...Map.groupBy(waiting, ({ updateId }) => updateId)].map(([updateId, devices]) => (
    <Link
      key={updateId}
      to={address('/device-software/rollouts/$updateId', { updateId: String(updateId) })}
      className="panel-link"
    >
      {`${devices.length} ${devices.length === 1 ? 'waits' : 'wait'} in update ${updateId}`}
    </Link>
  ))
}

/** It says which version the selected devices would run, and how many of them cannot. */
function targetText({ version, refusals }: AnswerOf<typeof checkClientUpdate>, count: number): string {
  if (version === null) return 'There is no release'
  const leftOut = Math.min(refusals.length, count)
  return leftOut === 0 ? `To ${version}` : `To ${version}, ${leftOut} left out`
}
