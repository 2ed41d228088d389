import type { Fault } from './fault.ts'

export const DEPLOY_FAULTS: readonly Fault[] = [
  {
    name: 'The recipe of HAProxy sends people to a server that has stopped',
    file: 'deploy/proxy/haproxy.cfg',
    replace:
      'check check-ssl check-send-proxy verify none inter 3s fastinter 1s fall 2 rise 1 on-marked-down shutdown-sessions',
    by: 'ssl verify none',
    foundBy: ['server/app/proxyRecipes.test.ts'],
  },
  {
    name: 'The recipe of nginx refuses releases as too large',
    file: 'deploy/proxy/nginx.conf',
    replace: '    client_max_body_size 64m;\n',
    by: '',
    foundBy: ['server/app/proxyRecipes.test.ts'],
  },
  {
    name: 'The recipe of nginx names nobody whom it heard',
    file: 'deploy/proxy/nginx.conf',
    replace: '      proxy_set_header X-Forwarded-For $remote_addr;\n',
    by: '',
    foundBy: ['server/app/proxyRecipes.test.ts'],
  },
  {
    name: 'The client is installed without a look at the signature',
    file: 'deploy/device/install.sh',
    replace: '  >/dev/null 2>&1 || die "What $server offers was not signed with this release key."',
    by: '  >/dev/null 2>&1 || true',
    foundBy: ['server/features/software/install/install.test.ts'],
  },
  {
    name: 'The client is installed although its package was changed',
    file: 'deploy/device/install.sh',
    replace: 'sha256sum -c --status -) ||',
    by: 'true) ||',
    foundBy: ['server/features/software/install/install.test.ts'],
  },
]
