import { Button, Menu, Popover } from '@mantine/core'
import { IconCode, IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { recordNames } from '../data/events.ts'
import type { Search } from '../parts/filters/filter.ts'
import { LiveSwitch } from '../parts/lists/live-switch.tsx'
import { Copyable } from '../parts/texts/copyable.tsx'
import { useLocale } from '../parts/texts/region.ts'
import { useSession } from '../shell/use-session.ts'
import { apiAddress, curlOf, exportPath } from './api-address.ts'
import classes from './log.module.css'

interface LogActionsProps {
  search: Search
  isLive: boolean
  onLive: (isLive: boolean) => void
}

/** The live switch, the export and the API call of the log. */
export function LogActions({ search, isLive, onLive }: LogActionsProps) {
  const { t } = useTranslation()
  return (
    <div className={classes.actions}>
      <LiveSwitch isLive={isLive} onLive={onLive} label={t('events.live.label')} />
      <ApiCall search={search} />
      <ExportButton search={search} />
    </div>
  )
}

function ApiCall({ search }: { search: Search }) {
  const { t } = useTranslation()
  const { account } = useSession()
  const address = apiAddress(account?.url ?? '', '/events', search)
  return (
    <Popover position="bottom-end" width={460} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconCode size={15} aria-hidden />}
          aria-label={t('events.api.open')}
          className={classes.action}
        >
          {t('events.api.open')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.api}>
        <p className={classes.hint}>{t('events.api.hint')}</p>
        <Copyable label={t('events.api.url')} value={address} />
        <Copyable label={t('events.api.curl')} value={curlOf(address)} />
      </Popover.Dropdown>
    </Popover>
  )
}

/** Plain links, so that the browser saves the file, however long it takes. */
function ExportButton({ search }: { search: Search }) {
  const { t, i18n } = useTranslation()
  const reader = { locale: useLocale(), language: i18n.language }
  const asked = { ...search, with: recordNames.join(',') }
  return (
    <Menu position="bottom-end" shadow="md" width={260}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconDownload size={15} aria-hidden />}
          aria-label={t('events.export.open')}
          className={classes.action}
        >
          {t('events.export.open')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('events.export.hint')}</Menu.Label>
        {(['csv', 'ndjson'] as const).map((format) => (
          <Menu.Item key={format} component="a" href={exportPath('/events', asked, format, reader)} download>
            {t(`events.export.${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
