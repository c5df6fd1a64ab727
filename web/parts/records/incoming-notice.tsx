import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type IncomingLead, incomingOfOptions, sameContactsOptions } from '../../data/incoming-leads.ts'
import { Callout } from '../layout/callout.tsx'
import classes from './incoming.module.css'
import { IncomingButtons } from './incoming-buttons.tsx'
import { detailOf } from './incoming-details.ts'
import { RecordLink } from './record-link.tsx'
import { type IncomingActions, useIncomingRights } from './use-incoming-rights.ts'

interface IncomingNoticeProps {
  lead: { id: number; name: string }
  actions: IncomingActions
}

/** Says that a lead waits, where it comes from and who has the same telephone, with the buttons that end it. */
export function IncomingNotice({ lead, actions }: IncomingNoticeProps) {
  const { t } = useTranslation()
  const { data: item } = useQuery(incomingOfOptions(lead.id))
  if (!item) return null
  const category = t(`incoming.category.${item.category}`)
  return (
    <div className={classes.notice} data-incoming>
      <Callout
        tone="info"
        title={t('incoming.title')}
        actions={<IncomingButtons item={item} name={lead.name} actions={actions} />}
      >
        <p>{t('incoming.from_source', { category, source: item.source_name })}</p>
        <p>{detailOf(item) ?? t('incoming.wait')}</p>
        <SameContacts item={item} actions={actions} />
      </Callout>
    </div>
  )
}

/** Contacts of the lists with the same telephone or e-mail, each with a button that accepts the lead for it. */
function SameContacts({ item, actions }: { item: IncomingLead; actions: IncomingActions }) {
  const { t } = useTranslation()
  const own = item._embedded.contacts[0]?.id ?? 0
  const { useContact } = useIncomingRights(item, actions.isAllowed)
  const { data: same = [] } = useQuery({ ...sameContactsOptions(own), enabled: useContact })
  if (!useContact || same.length === 0) return null
  return (
    <div className={classes.same}>
      <p>{t('incoming.same')}</p>
      <ul>
        {same.map(({ id, name }) => (
          <li key={id}>
            <RecordLink collection="contacts" id={id}>
              {name || `#${id}`}
            </RecordLink>
            <Button
              size="compact-xs"
              variant="default"
              loading={actions.isAccepting}
              aria-label={t('incoming.use_of', { name })}
              onClick={() => actions.accept({ item, contact_id: id })}
            >
              {t('incoming.use')}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
