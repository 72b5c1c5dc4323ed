// Weather
