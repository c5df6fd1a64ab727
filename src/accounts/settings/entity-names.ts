/**
 * The word for a lead in each language of the product. `default` is the heading form. Russian has all six cases,
 * because clients build sentences from them.
 */
export const entityNames = {
  leads: {
    en: { gender: 'm', singular_form: { default: 'lead' }, plural_form: { default: 'leads' } },
    es: { gender: 'm', singular_form: { default: 'lead' }, plural_form: { default: 'leads' } },
    pt: { gender: 'm', singular_form: { default: 'lead' }, plural_form: { default: 'leads' } },
    ru: {
      gender: 'f',
      singular_form: {
        dative: 'сделке',
        default: 'сделка',
        genitive: 'сделки',
        accusative: 'сделку',
        instrumental: 'сделкой',
        prepositional: 'сделке',
      },
      plural_form: {
        dative: 'сделкам',
        default: 'сделки',
        genitive: 'сделок',
        accusative: 'сделки',
        instrumental: 'сделками',
        prepositional: 'сделках',
      },
    },
  },
} as const
