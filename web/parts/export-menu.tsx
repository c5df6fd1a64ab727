import { ActionIcon, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { query } from '../api/client.ts'
import type { Search } from './filter.ts'

interface ExportProps {
  /** Relative to `/web/v4`: `leads`, `events`, `catalogs/12/elements`. */
  path: string
  /** The query parameters of the list, so that the export has the same records. */
  search: Search
}

const formats = ['csv', 'ndjson'] as const

/** Downloads all records of a list, including those not loaded. */
export function ExportMenu(props: ExportProps) {
  const { t } = useTranslation()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={32}
          aria-label={t('export.label')}
          title={t('export.label')}
        >
          <IconDownload size={17} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <ExportItems {...props} />
      </Menu.Dropdown>
    </Menu>
  )
}

/** Menu items that download all records of a list. */
export function ExportItems({ path, search }: ExportProps) {
  const { t } = useTranslation()
  return formats.map((format) => (
    <Menu.Item
      key={format}
      component="a"
      href={`/web/v4/${path}${query({ ...asked(search), format })}`}
      download
    >
      {t(`export.${format}`)}
    </Menu.Item>
  ))
}

/** Keeps the parameters that the API knows. */
const asked = (search: Search) =>
  Object.fromEntries(Object.entries(search).filter(([name]) => /^(?:query$|filter\[|order\[)/.test(name)))
