CREATE TABLE country (id INTEGER PRIMARY KEY, name TEXT UNIQUE, capital TEXT, currency TEXT);
CREATE TABLE brewery (id INTEGER PRIMARY KEY, name TEXT UNIQUE, founded INTEGER, country_id INTEGER REFERENCES country);
CREATE TABLE beer (id INTEGER PRIMARY KEY, name TEXT UNIQUE, style TEXT, strength REAL, brewery_id INTEGER REFERENCES brewery);
INSERT INTO country VALUES (1, 'Belgium', 'Brussels', 'euro'), (2, 'Germany', 'Berlin', 'euro'), (3, 'Czechia', 'Prague', 'koruna'), (4, 'Denmark', 'Copenhagen', 'krone');
INSERT INTO brewery VALUES (1, 'Westmalle', 1836, 1), (2, 'Weihenstephan', 1040, 2), (3, 'Budvar', 1895, 3), (4, 'Carlsberg', 1847, 4), (5, 'Duvel Moortgat', 1871, 1), (6, 'Schlenkerla', 1405, 2);
INSERT INTO beer VALUES (1, 'Westmalle Tripel', 'tripel', 9.5, 1), (2, 'Vitus', 'wheat bock', 7.7, 2), (3, 'Budvar Original', 'pale lager', 5.0, 3), (4, 'Elephant', 'strong lager', 7.2, 4), (5, 'Duvel', 'golden ale', 8.5, 5), (6, 'Aecht Schlenkerla Rauchbier', 'smoked beer', 5.1, 6), (7, 'Westmalle Dubbel', 'dubbel', 7.0, 1), (8, 'Korbinian', 'doppelbock', 7.4, 2);
