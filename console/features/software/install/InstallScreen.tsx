import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { CopyButton } from '#console/ui/button/CopyButton.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { getInstallPackages, type InstallPackages } from '#contract/http/software/installPackages.ts'
import { PackageTable } from './PackageTable.tsx'
import './install.css'

/** The page `/install` says how the client comes onto a new device (docs/guide/connect/install-the-client.md). */
export function InstallScreen() {
  const packages = useCall(getInstallPackages, {}, { refreshEveryMs: REFRESH_EVERY_MS.ofFolder })
  return (
    <Screen title="Install">
      <AsyncView query={packages}>{(found) => <Install found={found} />}</AsyncView>
    </Screen>
  )
}

function Install({ found: { files, releaseKey, refusal, serverUrl } }: { readonly found: InstallPackages }) {
  if (releaseKey === null) {
    return (
      <Panel>
        {refusal !== null && <FormNote kind="failed" text={refusal} />}
        <EmptyNote title="There are no packages yet">
          <p>
            Run <code className="mono">npm run installer</code> where you make releases, and copy its folder{' '}
            <code className="mono">install</code> into the data folder of the server.
          </p>
        </EmptyNote>
      </Panel>
    )
  }
  const command = `curl -fsSLO ${serverUrl}/install/install.sh
sudo sh install.sh --server ${serverUrl} \\
  --key ${releaseKey}`
  return (
    <div className="install">
      <Panel title="Install the client on a device" isPadded>
        <p>Run this on the device. It needs Debian, Ubuntu, Raspberry Pi OS or another Linux with systemd.</p>
        <div className="install-command">
          <pre>{command}</pre>
          <CopyButton name="command" text={command} />
        </div>
        <p className="dim">
          Without a configuration the device shows a code to claim it. To bring one, add{' '}
          <code className="mono">--config device.json</code>.
        </p>
        <dl className="install-key">
          <dt>Release key</dt>
          <dd>
            <code className="mono">{releaseKey}</code>
            <CopyButton name="release key" text={releaseKey} />
          </dd>
        </dl>
        <p className="dim">
          The script installs only what this key has signed. Compare it with the key that npm run release has shown.
        </p>
      </Panel>
      <Panel title="Packages">
        <PackageTable files={files} />
      </Panel>
    </div>
  )
}
