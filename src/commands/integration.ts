import { createIntegration } from '../integrations/integrations.ts'
import { permissions as allPermissions, NewIntegration } from '../integrations/registry/schemas.ts'
import { checked } from './checked.ts'
import { withContext } from './open.ts'
import { jsonOption, membersOf, printResult } from './results.ts'
import type { Command } from './run.ts'
import { accountNamed, memberNamed } from './user.ts'

export const integrationCreate: Command = {
  name: 'integration create',
  summary:
    'Register an integration in an account on behalf of an administrator, and print its keys and first code.',
  options: {
    account: { value: 'SUBDOMAIN', description: 'the developer account', required: true },
    user: { value: 'ADDRESS', description: 'e-mail of the administrator', required: true },
    name: { value: 'NAME', description: 'at most 255 characters', required: true },
    'redirect-uri': { value: 'URL', description: 'URL for the authorization code', required: true },
    'disable-hook-url': { value: 'URL', description: 'URL to notify when the integration is disabled' },
    permissions: { value: 'LIST', description: `${allPermissions.join(', ')}; separated by commas [crm]` },
    public: { description: 'allow other accounts to install it' },
    ...jsonOption,
  },
  async run({ account = '', user = '', name = '', permissions, ...options }) {
    const draft: NewIntegration = {
      name,
      redirect_uri: options['redirect-uri'] ?? '',
      disable_hook_url: options['disable-hook-url'] ?? null,
      permissions: (permissions ?? 'crm')
        .split(',')
        .map((one) => one.trim()) as NewIntegration['permissions'],
      access: options.public === undefined ? 'private' : 'public',
    }
    await withContext(async (ctx) => {
      const actor = await memberNamed(ctx, await accountNamed(ctx, account), user)
      const { keys, code } = await createIntegration(ctx, actor, checked(NewIntegration, draft))
      const { client_id, client_secret } = keys
      const lines = membersOf({ client_id, client_secret, 'code (20 minutes)': code.code })
      printResult(options, { client_id, client_secret, code: code.code }, lines)
    })
  },
}
