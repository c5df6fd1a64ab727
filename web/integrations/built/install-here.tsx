import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { freshCode, install, installationsOptions } from '../../data/installations.ts'
import dialog from '../../parts/dialogs/dialog.module.css'
import { Dialog } from '../../parts/dialogs/dialog.tsx'
import { useAction } from '../../parts/forms/use-action.ts'
import { CodeCard } from '../code-card.tsx'

/** Installs an integration in the account that created it, without consent. */
export function InstallHere({ clientId }: { clientId: string }) {
  const { t } = useTranslation()
  const { data: installations } = useQuery(installationsOptions)
  const first = useAction(install, t('built.installed_done'))
  const next = useAction(freshCode)
  const code = next.data ?? first.data
  const close = () => {
    first.reset()
    next.reset()
  }
  if (!installations) return null
  const active = installations.some(({ integration, is_active }) => integration.id === clientId && is_active)
  return (
    <>
      {active ? (
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link to="/integrations/installed/$clientId" params={{ clientId }} {...props} />
          )}
        >
          {t('built.to_installation')}
        </Button>
      ) : (
        <Button onClick={() => first.run(clientId)} loading={first.pending}>
          {t('built.install')}
        </Button>
      )}
      <Dialog opened={code !== undefined} onClose={close} title={t('code.title')} size={520}>
        {code && <CodeCard code={code} onFresh={() => next.run(clientId)} pending={next.pending} />}
        <div className={dialog.buttons}>
          <Button onClick={close}>{t('act.done')}</Button>
        </div>
      </Dialog>
    </>
  )
}
