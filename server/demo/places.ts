export interface Town {
  readonly name: string
  readonly postalCode: string
  readonly latitude: number
  readonly longitude: number
}

/** A customer of the demo, with the streets and towns of its displays. */
export interface DemoCustomer {
  readonly name: string
  readonly countryIso: string
  readonly towns: readonly Town[]
  readonly streets: readonly string[]
  readonly addressOf: (street: string, houseNumber: number, town: Town) => string
}

const town = (name: string, postalCode: string, latitude: number, longitude: number): Town => ({
  name,
  postalCode,
  latitude,
  longitude,
})

const numberLast = (street: string, houseNumber: number, { postalCode, name }: Town) =>
  `${street} ${houseNumber}, ${postalCode} ${name}`
const withComma = (street: string, houseNumber: number, { postalCode, name }: Town) =>
  `${street}, ${houseNumber}, ${postalCode} ${name}`

export const DEMO_CUSTOMERS: readonly DemoCustomer[] = [
  {
    name: 'Moravia City Media',
    countryIso: 'CZ',
    addressOf: numberLast,
    streets: ['Masarykova', 'Nádražní', 'Palackého', 'Komenského', 'Husova', 'Dlouhá', 'Zámecká'],
    towns: [
      town('Brno', '602 00', 49.1951, 16.6068),
      town('Olomouc', '779 00', 49.5938, 17.2509),
      town('Ostrava', '702 00', 49.8209, 18.2625),
      town('Zlín', '760 01', 49.2265, 17.6707),
      town('Praha', '110 00', 50.0755, 14.4378),
      town('Jihlava', '586 01', 49.3961, 15.5912),
    ],
  },
  {
    name: 'Rheinblick Stadtwerbung',
    countryIso: 'DE',
    addressOf: numberLast,
    streets: ['Bahnhofstraße', 'Hauptstraße', 'Rheinallee', 'Schillerstraße', 'Marktplatz', 'Am Dom', 'Lindenweg'],
    towns: [
      town('Köln', '50667', 50.9375, 6.9603),
      town('Mainz', '55116', 49.9929, 8.2473),
      town('Düsseldorf', '40213', 51.2277, 6.7735),
      town('Koblenz', '56068', 50.3569, 7.589),
      town('Karlsruhe', '76133', 49.0069, 8.4037),
      town('Bonn', '53111', 50.7374, 7.0982),
    ],
  },
  {
    name: 'Nordlys Utereklame',
    countryIso: 'NO',
    addressOf: numberLast,
    streets: ['Storgata', 'Kongens gate', 'Havnegata', 'Kirkegata', 'Strandveien', 'Skolegata'],
    towns: [
      town('Oslo', '0150', 59.9139, 10.7522),
      town('Bergen', '5003', 60.3913, 5.3221),
      town('Trondheim', '7011', 63.4305, 10.3951),
      town('Tromsø', '9008', 69.6492, 18.9553),
      town('Stavanger', '4006', 58.97, 5.7331),
      town('Bodø', '8006', 67.2804, 14.4049),
    ],
  },
  {
    name: 'Οθόνες Αττικής',
    countryIso: 'GR',
    addressOf: numberLast,
    streets: ['Ερμού', 'Σταδίου', 'Πανεπιστημίου', 'Αγίου Δημητρίου', 'Παραλία', 'Βενιζέλου'],
    towns: [
      town('Αθήνα', '105 63', 37.9838, 23.7275),
      town('Πειραιάς', '185 31', 37.942, 23.6465),
      town('Θεσσαλονίκη', '546 24', 40.6401, 22.9444),
      town('Πάτρα', '262 21', 38.2466, 21.7346),
      town('Ηράκλειο', '712 02', 35.3387, 25.1442),
    ],
  },
  {
    name: 'Lumen Publicidad Exterior',
    countryIso: 'ES',
    addressOf: withComma,
    streets: ['Calle Mayor', 'Avenida de la Constitución', 'Calle Real', 'Plaza de España', 'Paseo Marítimo'],
    towns: [
      town('Madrid', '28013', 40.4168, -3.7038),
      town('València', '46002', 39.4699, -0.3763),
      town('Sevilla', '41001', 37.3891, -5.9845),
      town('Zaragoza', '50001', 41.6488, -0.8891),
      town('A Coruña', '15001', 43.3623, -8.4115),
      town('Málaga', '29001', 36.7213, -4.4214),
    ],
  },
]
