import { Button, Group, Stack, TextInput } from '@mantine/core'
import { IconCamera } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { lazyPart } from '#console/ui/lazyPart.tsx'
import { type FoundClaim, findClaim } from '#contract/http/devices/claims.ts'
import { getInstallPackages } from '#contract/http/software/installPackages.ts'
import { formatClaimCode, readClaimCode } from '#domain/claims/claimCode.ts'
import { claimMessages } from './claimText.ts'

const QrScanner = lazyPart(() => import('#console/ui/scan/QrScanner.tsx').then((part) => part.QrScanner))

interface Props {
  readonly code: string
  readonly onFound: (code: string, claim: FoundClaim) => void
}

/** The code is typed, scanned, or stands in the address. A link alone tries nothing: somebody presses the button. */
export function CodeForm({ code, onFound }: Props) {
  const [isScanning, setScanning] = useState(false)
  const form = useCallForm(findClaim, {
    labels: { code: 'Code' },
    initial: { code },
    content: (values) => ({ code: readClaimCode(values.code) ?? 'unread' }),
    check: (values) =>
      readClaimCode(values.code) === undefined
        ? { code: 'A code has eight letters and digits, such as ABCD-2345.' }
        : {},
    refusals: { claim_not_valid: 'code', claim_taken: 'code', too_many_requests: 'code' },
    onSaved: (claim) => onFound(readClaimCode(form.values.code) ?? '', claim),
  })
  const { field, submit, isBusy, set } = form
  const packages = useCall(getInstallPackages, {})
  if (isScanning)
    return (
      <QrScanner
        cancel="Type the code"
        onCancel={() => setScanning(false)}
        onRead={(text) => {
          const read = readClaimCode(text)
          // What is no code is shown as it was read, and refused at the field.
          set({ code: read === undefined ? text : formatClaimCode(read) })
          setScanning(false)
        }}
      />
    )
  return (
    <form noValidate onSubmit={submit} aria-label="Code of the device">
      <Stack gap="md">
        <TextInput
          {...field('code')}
          description="The device shows it on its display and in its log, for ten minutes."
          placeholder="ABCD-2345"
          className="claim-code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          data-autofocus
        />
        <Group gap="sm">
          <Button type="submit" loading={isBusy}>
            Find device
          </Button>
          {window.isSecureContext && (
            <ActionButton icon={IconCamera} onClick={() => setScanning(true)}>
              Scan QR code
            </ActionButton>
          )}
        </Group>
        {!window.isSecureContext && <FormNote kind="info" text={claimMessages.needsHttps} />}
        <p className="dim">
          No code yet? <Link to={address('/install')}>Install the client</Link> on the device.
          {packages.data?.releaseKey && (
            <>
              {' '}
              Its release key is <code className="claim-release-key">{packages.data.releaseKey}</code>.
            </>
          )}
        </p>
      </Stack>
    </form>
  )
}
